// SPDX-License-Identifier: MIT
// Tasks for the worker, each with a time limit from when it is begun: one that takes longer is ended
// with its worker, and the next task gets a new one.
import { loadFiles, loadModule, workerUrl } from './files.js';

export class Checker {
  constructor() {
    this.worker = null;
    this.waiting = new Map();
    this.next = 1;
  }

  async ready() {
    if (this.worker) return;
    this.worker = new Worker(workerUrl());
    this.worker.onmessage = ({ data }) => (data.began ? this.begin(data.id) : this.finish(data.id, data));
    this.worker.onerror = () => this.end('the worker stopped');
    this.worker.postMessage({ id: 0, type: 'start', module: await loadModule(), files: await loadFiles() });
  }

  begin(id) {
    const waiting = this.waiting.get(id);
    if (waiting) waiting.timer = setTimeout(() => this.end(`given up after ${waiting.limit} s`), 1000 * waiting.limit);
  }

  finish(id, answer) {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    clearTimeout(waiting?.timer);
    waiting?.resolve(answer);
  }

  end(why) {
    this.worker?.terminate();
    this.worker = null;
    for (const id of [...this.waiting.keys()]) this.finish(id, { ok: false, status: 'too slow', error: why, diagnostics: [] });
  }

  /** What the worker answers; after `limit` seconds, that it took too long. */
  async ask(task, limit) {
    await this.ready();
    const id = this.next++;
    return new Promise((resolve) => {
      this.waiting.set(id, { resolve, limit });
      this.worker.postMessage({ ...task, id });
    });
  }
}
