; A prepared piano string in Csound: what a comparable opcode costs.  Ten seconds, one string a note.
<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
sr = 44100
ksmps = 64
nchnls = 2
0dbfs = 1
gir ftgen 1, 0, 8, -2, 1, 0.6, 10, 100, 0.001
gib ftgen 2, 0, 8, -2, 1, 0.7, 50, 500, 1000
instr 1
  a1, a2 prepiano 60, 1, 10, 1, 3, 0.002, 2, 2, 1, 5000, -0.01, 0.09, 20, 0, 0.1, 1, 2
  outs a1*0.75, a2*0.75
endin
</CsInstruments>
<CsScore>
i1 0 10
</CsScore>
</CsoundSynthesizer>
