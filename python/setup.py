# SPDX-License-Identifier: MIT
"""The wheel: any Python 3, one kind of machine, because the library is loaded and not compiled against Python."""
import os

from setuptools import Distribution, setup
from wheel.bdist_wheel import bdist_wheel


class Wheel(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


class Binary(Distribution):
    def has_ext_modules(self):
        return True


setup(version=os.environ["JAWARI_VERSION"], cmdclass={"bdist_wheel": Wheel}, distclass=Binary)
