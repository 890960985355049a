// SPDX-License-Identifier: MIT
// The page: one scene that is checked, weighed, played, seen and changed.
import './style.css';
import { CONTACT_NUMBERS, Core, HANDS, includes } from '../package/core.js';
import { wav } from '../package/wav.js';
import { Audio } from './audio.js';
import { Checker } from './checking.js';
import { control, fillContacts, fillControls, showContacts } from './controls.js';
import { movesBetween } from './difference.js';
import { $, make, save } from './dom.js';
import { Editor } from './editor.js';
import { fillExperiments } from './experiments.js';
import { loadFiles, loadLibrary, loadModule, singleFile } from './files.js';
import { Hands } from './hands.js';
import { Keys, listenToMidi } from './keys.js';
import { Tour, fillGallery } from './learn.js';
import { Schema } from './schema.js';
import { EnergyScope, SoundScope } from './scopes.js';
import { pack, unpack } from './share.js';
import { Stage } from './stage.js';

const FIRST = 'tromba';
const RATE = 48000, LIGHT_RATE = 24000;
const CHECK_LIMIT = 0.9, OWN_LIMIT = 10; // s, for scenes of strangers and for those of the page
const WEIGH_LIMIT = 12, RENDER_LIMIT = 120; // s
const HEAVY = 0.8; // Of the time there is
const MOST_TEXT = 1 << 20;
const MOST_WEIGHED = 8;

class Page {
  constructor() {
    this.rate = RATE;
    this.scene = null; // What plays: text, description, gain, score, reach
    this.tool = null;  // What was chosen for the hand; without a choice, as the scene is
    this.reach = HANDS.pluck;
    this.turn = 0;
    this.weighed = new Map();
    this.checker = new Checker();
    this.renderer = new Checker();
    this.audio = new Audio((report) => this.hear(report));
    this.hands = new Hands(() => this.audio.node);
    this.stage = new Stage($('stage'), this.hands);
    this.hands.lastSeen = (id) => this.stage.view.row[this.scene.description.objects[id - 1].at];
    this.hands.isClosed = (id) => this.stage.view.row[this.scene.description.places + CONTACT_NUMBERS * (id - 1)] > 0;
    this.hands.control = control;
    this.sound = new SoundScope();
    this.energy = new EnergyScope();
    this.keys = new Keys((bytes) => this.play(bytes));
    this.editor = new Editor($('editor'), { onchange: () => this.typed(), onreload: () => this.again() });
    this.underruns = 0;
    this.bind();
    const frame = () => {
      if (this.audio.on) this.sound.draw(this.audio.analyser, this.audio.context.sampleRate);
      this.energy.draw();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  // ---------------------------------------------------------------- start

  async begin() {
    const [module, { scenes, schema }] = await Promise.all([loadModule(), loadLibrary()]);
    this.builtin = scenes;
    this.files = await loadFiles();
    $('version').textContent = `Version ${new Core(module).version}.`;
    this.editor.useSchema(new Schema(schema));
    fillGallery(this.builtin, (scene) => this.openBuiltin(scene));
    fillExperiments((task, limit) => this.renderer.ask(task, limit));
    this.tour = new Tour((text, title) => this.openText(text, title, true), () => this.playScore());
    addEventListener('hashchange', () => this.openLink());
    await this.openLink(true);
  }

  async openLink(first = false) {
    let wanted = {};
    try {
      wanted = await unpack(location.hash);
    } catch (error) {
      this.tell(`This link has no scene that can be read: ${error.message}`);
    }
    const given = first && !wanted.text && !wanted.name ? JSON.parse($('given-scene').textContent) : null;
    if (wanted.text ?? given) await this.openText(wanted.text ?? given);
    else if (first || wanted.name) await this.openBuiltin(this.builtin.find((scene) => scene.name === (wanted.name ?? FIRST)) ?? this.builtin[0]);
  }

  openBuiltin(scene) {
    history.replaceState(null, '', `#scene=${scene.name}`);
    return this.openText(scene.text, undefined, true);
  }

  /** `own`: it comes with the page, and what becomes of it in the editor is the reader's own; else from a stranger. */
  openText(text, title = 'A scene without a title', own = false) {
    this.called = title; // What it is called if it does not say
    this.own = own;
    this.rate = RATE; // The scene before may have been played lighter
    this.tool = null;
    this.reach = HANDS.pluck;
    if (text.length > MOST_TEXT) {
      this.tell(`A scene of ${text.length} letters is more than this page takes.`);
      return Promise.resolve();
    }
    this.settingText = true;
    this.editor.text = text;
    this.settingText = false;
    return this.reload();
  }

  // ---------------------------------------------------------------- check and open

  options(score = false) { return { rate: this.rate, score, hands: this.reach, ledger: this.ledger !== false }; }

  typed() {
    if (this.settingText) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(this.editor.text), 250);
  }

  async check(text) {
    const answer = await this.checker.ask({ type: 'check', text, options: this.options() }, this.own ? OWN_LIMIT : CHECK_LIMIT);
    if (text === this.editor.text) this.showProblems(answer);
    return answer;
  }

  problemsOf(answer) {
    const listed = answer.ok ? answer.description.diagnostics : answer.diagnostics;
    return listed.length || answer.ok ? listed : [{ message: answer.error, line: 1, column: 1, length: 1, warning: false }];
  }

  showProblems(answer) {
    const problems = this.problemsOf(answer);
    this.editor.mark(problems);
    this.problems = problems;
    const rows = problems.slice(0, 40).map((problem) => {
      const button = make('button', { type: 'button' }, `${problem.line}:${problem.column} ${problem.message}`);
      button.onclick = () => this.editor.show(problem.line, problem.column);
      return make('li', { className: problem.warning ? 'warning' : 'error' }, button);
    });
    if (answer.ok && !rows.length) rows.push(make('li', { className: 'good' }, this.editor.text === this.scene?.text ? 'Good.' : 'Good. Reload plays it.'));
    $('problems').replaceChildren(...rows);
  }

  /** Play what the editor has: by moving what plays where that is enough, otherwise anew. */
  async reload(asked = false) {
    const turn = ++this.turn, text = this.editor.text;
    clearTimeout(this.timer);
    const checked = await this.check(text);
    if (turn !== this.turn) return false;
    if (!checked.ok) {
      const [first, ...more] = this.problemsOf(checked).filter((one) => !one.warning);
      this.tell(`This scene cannot be played: line ${first.line}, ${first.message}${more.length ? ` (and ${more.length} more)` : ''}`);
      return false;
    }
    const score = asked || checked.scored;
    if (!score && this.scene && this.moved(text, checked.description)) return true;
    const weighed = await this.weigh(text, this.options(score));
    if (turn !== this.turn) return false;
    if (!weighed.ok && weighed.status !== 'too slow') {
      this.tell(weighed.error);
      return false;
    }
    const heavy = !weighed.ok || weighed.load > HEAVY;
    this.scene = { text, description: checked.description, gain: weighed.gain ?? 1, load: weighed.load ?? Infinity, score, silent: checked.scored, heavy, reach: this.reach };
    await this.show();
    return true;
  }

  // What was tried lately is known: a score is played again, and left for notes, at once.
  async weigh(text, options) {
    const key = JSON.stringify([text, options]);
    if (this.weighed.has(key)) return this.weighed.get(key);
    const slowly = setTimeout(() => this.tell('Trying how loud and how heavy it is …'), 500);
    const answer = await this.checker.ask({ type: 'weigh', text, options, heavy: HEAVY }, WEIGH_LIMIT);
    clearTimeout(slowly);
    if (answer.ok && answer.load <= HEAVY) this.weighed.set(key, answer);
    if (this.weighed.size > MOST_WEIGHED) this.weighed.delete(this.weighed.keys().next().value);
    return answer;
  }

  moved(text, description) {
    const playing = this.scene, same = !playing.score && !playing.heavy && playing.reach === this.reach;
    const parts = same ? movesBetween(playing.text, text) : null;
    if (!parts || !this.audio.node) return false;
    const moves = parts.map((part) => {
      const list = part.kind === 'object' ? description.objects : description.contacts;
      return { ...part, id: list.find((one) => one.name === part.name)?.id };
    });
    if (moves.some((move) => !move.id)) return false;
    this.checker.ask({ type: 'where', text, options: this.options(), moves }, this.own ? OWN_LIMIT : CHECK_LIMIT).then((answer) => {
      if (answer.ok) moves.forEach((move, index) => this.audio.node.move(move.kind, move.id, move.control, answer.values[index], 0.05));
      this.lastReload = 'moved';
    });
    this.scene = { ...playing, text };
    $('notice').hidden = true;
    this.showProblems({ ok: true, description });
    return true;
  }

  async show() {
    const { description, heavy, load } = this.scene;
    $('title').textContent = description.title || this.called;
    $('about').textContent = description.description;
    document.title = description.title ? `${description.title} – jawari` : 'jawari';
    this.stage.open(description);
    this.hands.open(description);
    this.energy.clear();
    this.showTool();
    fillControls(description, (index, value) => this.audio.node?.set(index, value, 0.03));
    fillContacts(description);
    this.setMode('live');
    this.hintFor(description);
    this.showProblems({ ok: true, description });
    $('notice').hidden = true;
    this.lastReload = 'built';
    if (heavy) {
      this.audio.drop();
      this.offerLighter(load);
    } else if (this.audio.on) await this.sendScene();
  }

  async sendScene() {
    const { text, description, gain, score } = this.scene;
    await this.audio.start(this.rate);
    await this.audio.open(text, { ...this.options(score), files: includes(text) ? this.files : {}, gain, trial: false, budget: true }, description);
  }

  // ---------------------------------------------------------------- the hand

  showTool() {
    const { description } = this.scene, has = (kind) => description.objects.some((object) => object.kind === kind);
    const usual = description.contacts.some((contact) => contact.kind === 'bow' && !description.hands.some((hand) => hand.bow === contact.id)) ? 'bow' : 'pluck';
    this.stage.tool = this.tool ?? usual;
    $('hand').hidden = !has('string');
    for (const tool of ['pluck', 'bow', 'press']) $(`hand-${tool}`).setAttribute('aria-pressed', tool === this.stage.tool);
  }

  /** What a hand does to strings.  A string that has no bow or finger of its own gets one, and for that the scene is built anew. */
  async setTool(tool) {
    if (!this.scene) return;
    this.tool = tool;
    this.reach |= this.hands.reachFor(tool);
    this.showTool();
    this.hintFor(this.scene.description);
    if (this.reach !== this.scene.reach) await this.reload(this.scene.score && !this.scene.silent);
  }

  hintFor({ contacts, hands, voices, objects }) {
    const has = (kind) => objects.some((object) => object.kind === kind), { tool } = this.stage;
    const kindOf = (port) => objects[port.object - 1]?.kind;
    const bars = contacts.some(({ ports }) => ports.map(kindOf).sort().join() === 'mass,modal');
    const gaps = contacts.filter((contact) => this.hands.gapOf(contact) >= 0);
    const says = [
      [tool === 'bow' && has('string'), 'Drag across a string to bow it.'],
      [tool === 'pluck' && has('string'), 'Click a string to pluck it, or drag across.'],
      [tool === 'press' && has('string'), 'Click a string to put a finger there, drag it along; a click on the finger lifts it.'],
      [has('plate'), 'Click the plate to strike it.'],
      [bars, 'Click a bar to strike it.'],
      [!hands.length && has('mass') && !bars, 'Click the mass to throw it.'],
      [gaps.length > 0, `Drag ${gaps.some(({ ports }) => ports.some((port) => kindOf(port) === 'modal')) ? 'the light under the bridge' : 'a light'} to move its gap.`],
      [voices > 0, 'Keys play notes.'],
      [voices === 0, 'Play the score to hear it.'],
    ];
    $('hint').textContent = says.filter(([holds]) => holds).map(([, words]) => words).join(' ');
  }

  // ---------------------------------------------------------------- sound

  async turnOn() {
    $('start').hidden = true;
    // Browsers ask whether they may: not before somebody wants to play
    this.midi ??= listenToMidi((bytes) => this.play(bytes), (text) => { $('midi-help').textContent = text; });
    await this.audio.start(this.rate);
    if (this.scene && !this.audio.node && !this.scene.heavy) await this.sendScene();
  }

  async play(bytes) {
    if (!this.audio.on) await this.turnOn();
    if (this.scene?.score && !this.scene.silent) await this.reload();
    this.audio.node?.midi(bytes);
  }

  async playScore() {
    await this.turnOn();
    await this.reload(true);
  }

  /** Reload: who changes a score hears it from its beginning. */
  again() { return this.reload(Boolean(this.scene?.score && !this.scene.silent)); }

  async silence() {
    if (this.scene?.score && !this.scene.silent) await this.reload();
    this.keys.releaseAll();
    this.source?.stop();
    this.audio.node?.send({ type: 'reset' });
  }

  hear(report) {
    if (report.type === 'look') {
      const { description } = this.scene;
      if (report.row.length !== description.row) return;
      this.stage.take(report);
      this.energy.take(report.row.slice(-8));
      showContacts(description, report, this.stage.view.glow);
    } else if (report.type === 'slow') this.stage.takeSlow(report);
    else if (report.type === 'load') this.showLoad(report);
    else if (report.type === 'slow-machine') this.offerLighter(report.load);
    else if (report.type === 'not-finite') this.tell('The motion stopped being finite; the sound was stopped.');
    else if (report.type === 'failed') this.tell(report.message);
  }

  showLoad({ load, rests }) {
    this.underruns = this.audio.context?.playbackStats?.underrunEvents ?? 0;
    this.load = load;
    $('load').textContent = rests ? 'at rest' : `load ${Math.round(100 * load)} %`;
  }

  // ---------------------------------------------------------------- too slow here

  async offerLighter(load) {
    const { text, score } = this.scene;
    const words = Number.isFinite(load) ? `It takes ${Math.round(100 * load)} % of the time there is.` : 'It takes far longer than it sounds.';
    const light = make('button', { type: 'button', className: 'main' }, `Play it lighter, at ${LIGHT_RATE / 1000} kHz`);
    const first = make('button', { type: 'button' }, 'Compute it, then listen');
    light.onclick = () => this.setRate(LIGHT_RATE);
    first.onclick = () => this.computeFirst();
    $('notice').replaceChildren(make('span', {}, `Too slow here. ${words}`), first);
    $('notice').hidden = false;
    if (this.rate <= LIGHT_RATE) return;
    // Some scenes have more modes than there is room for at half the rate
    const { ok } = await this.checker.ask({ type: 'check', text, options: { ...this.options(score), rate: LIGHT_RATE } }, OWN_LIMIT);
    if (ok) first.before(light);
  }

  async setRate(rate) {
    this.rate = rate;
    await this.reload(this.scene?.score);
  }

  async compute(seconds) {
    const answer = await this.renderer.ask({ type: 'render', text: this.editor.text, seconds, options: {} }, RENDER_LIMIT);
    if (!answer.ok) this.tell(answer.error);
    return answer;
  }

  async computeFirst() {
    this.tell('Computing …');
    const answer = await this.compute();
    if (!answer.ok) return;
    $('notice').hidden = true;
    await this.turnOn();
    this.source = this.audio.playBuffer(answer);
  }

  tell(text) {
    $('notice').replaceChildren(make('span', {}, text));
    $('notice').hidden = false;
  }

  // ---------------------------------------------------------------- slow motion, links, files

  setMode(mode) {
    this.stage.setMode(mode);
    this.audio.watch(mode === 'live' ? 'live' : 'slow');
    $('slow').setAttribute('aria-pressed', mode === 'slow');
    $('freeze').setAttribute('aria-pressed', mode === 'freeze');
    $('scrub').hidden = mode === 'live';
  }

  async share() {
    const link = `${location.href.split('#')[0]}${await pack(this.editor.text)}`;
    history.replaceState(null, '', link);
    try {
      await navigator.clipboard.writeText(link);
      this.tell('The link is copied. It carries the whole scene.');
    } catch {
      this.tell('The link is in the address bar. It carries the whole scene.');
    }
  }

  fileName(ending) {
    const title = this.scene?.description.title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 40);
    return `${title || 'scene'}.${ending}`;
  }

  async download(kind) {
    $('download').open = false;
    if (kind === 'scene') save(this.fileName('json'), this.editor.text, 'application/json');
    if (kind === 'page') save(this.fileName('html'), await singleFile(this.editor.text), 'text/html');
    if (kind === 'wav') {
      this.tell('Computing …');
      const answer = await this.compute();
      if (!answer.ok) return;
      $('notice').hidden = true;
      save(this.fileName('wav'), wav({ channels: answer.channels, sampleRate: answer.rate }), 'audio/wav');
    }
  }

  bind() {
    const click = (id, run) => { $(id).onclick = () => run(); };
    click('start', () => this.turnOn());
    click('score', () => this.playScore());
    click('still', () => this.silence());
    click('reload', () => this.again());
    for (const tool of ['pluck', 'bow', 'press']) click(`hand-${tool}`, () => this.setTool(tool));
    click('undo', () => this.editor.undo());
    click('share', () => this.share());
    for (const kind of ['wav', 'scene', 'page']) click(`download-${kind}`, () => this.download(kind));
    click('slow', () => this.setMode(this.stage.mode === 'slow' ? 'live' : 'slow'));
    click('freeze', () => this.setMode(this.stage.mode === 'freeze' ? 'live' : 'freeze'));
    addEventListener('click', (event) => { if (!$('download').contains(event.target)) $('download').open = false; });
    click('open-gallery', () => $('gallery').showModal());
    for (const button of document.querySelectorAll('[data-close]')) button.onclick = () => button.closest('dialog').close();
    $('volume').oninput = () => this.audio.setVolume(Number($('volume').value));
    $('scrub').oninput = () => this.stage.scrub(Number($('scrub').value));
    this.stage.onslow = (position) => { if (document.activeElement !== $('scrub')) $('scrub').value = position; };
    $('home').onclick = (event) => {
      event.preventDefault();
      this.openBuiltin(this.builtin.find((scene) => scene.name === FIRST));
    };
    // The first touch of the instrument turns the sound on
    $('stage').addEventListener('pointerdown', () => { if (!this.audio.on) this.turnOn(); }, { capture: true });
  }
}

const page = new Page();
// For tests and for the curious
globalThis.jawari = page;
page.ready = page.begin();
