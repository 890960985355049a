// SPDX-License-Identifier: MIT
// The gallery, and the tour: the tutorial of the manual, alive.
import steps from 'virtual:tour';
import { $, make } from './dom.js';

const GROUPS = { instruments: 'Instruments', experiments: 'Small things', papers: 'Scenes of the papers' };

export function fillGallery(scenes, open) {
  const row = (scene) => {
    const button = make('button', { type: 'button' }, make('b', {}, scene.name), make('span', {}, scene.title));
    button.onclick = () => {
      $('gallery').close();
      open(scene);
    };
    return make('li', {}, button);
  };
  $('scenes').replaceChildren(...Object.entries(GROUPS).flatMap(([group, words]) => [
    make('h3', {}, words), make('ul', {}, ...scenes.filter((scene) => scene.group === group).map(row)),
  ]));
}

// Text with `code` in it.
function paragraph(text) {
  return make('p', {}, ...text.split(/(`[^`]+`)/).filter(Boolean)
    .map((part) => (part.startsWith('`') ? make('code', {}, part.slice(1, -1)) : part)));
}

export class Tour {
  constructor(open, listen) {
    this.open = open;
    this.at = -1;
    $('open-tour').onclick = () => this.show(0);
    $('tour-next').onclick = () => (this.at + 1 < steps.length ? this.show(this.at + 1) : this.end());
    $('tour-back').onclick = () => this.show(this.at - 1);
    $('tour-end').onclick = () => this.end();
    $('tour-listen').onclick = listen;
  }

  show(index) {
    const step = steps[index];
    this.at = index;
    $('tour').hidden = false;
    $('tour-title').textContent = step.title;
    $('tour-count').textContent = `${index + 1} of ${steps.length}`;
    $('tour-text').replaceChildren(...step.text.map(paragraph), paragraph(step.attempt));
    $('tour-text').lastChild.className = 'attempt';
    $('tour-back').disabled = index === 0;
    $('tour-next').textContent = index + 1 < steps.length ? 'Next' : 'Done';
    this.open(step.scene, step.title);
    $('tour').scrollIntoView({ block: 'nearest' });
  }

  end() {
    this.at = -1;
    $('tour').hidden = true;
    $('open-tour').focus();
  }
}
