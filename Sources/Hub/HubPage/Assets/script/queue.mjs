// Changes that the hub has not confirmed, in order; they outlive a lost connection and a closed window.

import { user } from './page.mjs'
import { kept } from './storage.mjs'

export const queue = {
  prefix: `change:${user}:`,
  spare: new Map(),
  serial: 0,
  sending: null,
  keys() { return [...kept.keys().filter((key) => key.startsWith(this.prefix)), ...this.spare.keys()].sort() },
  read(key) { return this.spare.get(key) ?? kept.read(key) },
  write(key, entry) { if (!kept.write(key, entry)) this.spare.set(key, entry) },
  remove(key) { this.spare.delete(key); kept.remove(key) },
  add(entry) {
    const key = `${this.prefix}${Date.now()}-${String(++this.serial).padStart(6, '0')}-${Math.random().toString(36).slice(2, 8)}`
    this.write(key, { at: Date.now(), ...entry })
    return key
  },
  /** The keys of the positions of a play. */
  positions(play) { return this.keys().filter((key) => this.read(key)?.play === play) },
}
