# SPDX-License-Identifier: MIT
"""Things that vibrate and collide, and sound: scenes, worlds, sweeps and data sets.

>>> import jawari
>>> y, fs = jawari.render("guitar", seconds=2)     # float32, (frames, channels)

A scene is the same text that the program reads; ``jawari.scenes()`` names those that are built in. ``World`` runs one
step by step, ``Builder`` makes one in Python.
"""
from ._library import Error, SceneError, version
from .builder import Builder, Handle, describe
from .features import BANDS, Measured, features
from .render import Sound, render
from .scene import Diagnostic, Part, Scene, check, materials, note, scenes, schema
from .sweep import Dataset, Item, Plan, Result, Scale, sweep
from .world import ContactFigures, Energy, ObjectInfo, World

__version__ = version()

__all__ = ["BANDS", "Builder", "ContactFigures", "Dataset", "Diagnostic", "Energy", "Error", "Handle", "Item", "Measured", "ObjectInfo", "Part", "Plan", "Result",
           "Scale", "Scene", "SceneError",
           "Sound", "World", "check", "describe", "features", "materials", "note", "render", "scenes", "schema", "sweep", "version"]
