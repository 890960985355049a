<CsoundSynthesizer>
; aleft, aright jawari Sscene, kstatus, kchannel, kdata1, kdata2
; A scene as an instrument.  Sscene is a file, or a built-in scene.  In each cycle in which kstatus is not 0, that MIDI
; message is played: 144 is a note, 128 lets it go, 176 moves a controller, 224 bends.
<CsOptions>
-o tromba.wav -W -f
</CsOptions>
<CsInstruments>
sr = 48000
ksmps = 64
nchnls = 2
0dbfs = 1

instr 1
  kstatus, kchannel, kkey, kvelocity init 0
  kcycle init 0
  kstatus = (kcycle == 0 ? 144 : (kcycle == 1500 ? 128 : 0)) ; two seconds of bow
  kcycle += 1
  aleft, aright jawari "tromba", kstatus, 1, 36, 100
  outs aleft, aright
endin
</CsInstruments>
<CsScore>
i 1 0 3
</CsScore>
</CsoundSynthesizer>
