% [Y, FS] = jawari_render (SCENE)
% [Y, FS] = jawari_render (SCENE, 'seconds', 2, ...)
%
% Render a scene of things that vibrate and collide: the samples of `jawari render`.
% SCENE is a file, a built-in scene ('guitar'), or the scene itself ('{ "jawari": 1, ... }').
% Y has a row a frame and a column a channel; FS is its rate in Hz.
%
%   'seconds'   how long; the scene's own without it
%   'rate'      in Hz; the scene's own without it
%   'gain'      factor; the scene's own without it, where "auto" brings the peak to -1 dB
%   'midi'      rows of [seconds status data1 data2], played instead of the scene's score
%   'channels'  'scene', 'mono', 'stereo', 'pickups', or 'numbers': pickups in SI units
%
% Example: a bow for a second
%   [y, fs] = jawari_render ('tromba', 'midi', [0 144 36 100; 1 128 36 0], 'seconds', 2);
%   audiowrite ('tromba.wav', y, fs)
%
% SPDX-License-Identifier: MIT
