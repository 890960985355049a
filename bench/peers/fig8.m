% SPDX-License-Identifier: MIT
% A string over a bent barrier, 521 points at 220.5 kHz, in Octave: the same work as jawari's.
% Ducceschi and Bilbao 2019, Fig. 8.  Prints seconds of computing (of the processor) for a second of sound.
%   octave-cli fig8.m noniterative|newton SECONDS
1;
function [s, y] = settings()
  s.fs = 220500; s.k = 1/s.fs; s.n = 521; s.h = 1/(s.n + 1); m = 0.063;
  y = s.k^2/(m*s.h);
  EI = 2e11*pi*(5e-4)^4/4;
  s.tau = y*500/s.h; s.beta = y*EI/s.h^3;
  x = (1:s.n)'*s.h;
  s.b = -1e-4 - 1e-4*x - 1e-3*x.^2;
  s.K = 5e6*s.h; s.al = 1.4;
end
function D = second(n)
  D = spdiags(ones(n,1)*[1 -2 1], -1:1, n, n);
end
function f = pulse(t)
  f = 10*0.5*(1 - cos(2*pi*t/1e-3))*(t < 1e-3);
end
arguments = argv();
method = arguments{1}; seconds = str2double(arguments{2});
[s, y] = settings();
D = second(s.n); A = 2*speye(s.n) + s.tau*D - s.beta*D*D;
u = zeros(s.n,1); p = u; psi = u; at = round(0.8*s.n); steps = round(seconds*s.fs);
start = cputime();
for i = 0:steps-1
  next = A*u - p;
  next(at) += y*pulse(i*s.k);
  r = p - next;                               % how far each gap closes, freely
  eta = s.b - u;
  if strcmp(method, 'noniterative')
    g = sqrt(0.5*s.K*(s.al + 1))*max(eta, 0).^(0.5*(s.al - 1));
    f = (0.25*g.^2.*r + g.*psi)./(1 + 0.25*g.^2*y);
    psi += 0.5*g.*(r - y*f);
  else                                        % discrete gradient, 20 Newton steps a point that may touch
    past = s.b - p; x = r;
    phi = @(e) s.K/(s.al + 1)*max(e, 0).^(s.al + 1);
    slope = @(e) s.K*max(e, 0).^s.al;
    for it = 1:20
      x(abs(x) < 1e-14) = 1e-14;
      d = (phi(past + x) - phi(past))./x;
      F = x - r + y*d;
      dF = 1 + y*(slope(past + x) - d)./x;
      x -= F./dF;
    end
    f = (r - x)/y;
  end
  next += y*f;
  p = u; u = next;
end
printf('%g\n', (cputime() - start)/seconds);
