// What the browser keeps for this page: of all windows, and of one.

import { base } from './page.mjs'

/** Storage of this hub, which shares the browser's with others on its host; it may be full or forbidden: then nothing is kept. */
const storage = (area) => ({
  read(key) { try { return JSON.parse(area().getItem(base + key)) } catch { return null } },
  write(key, value) { try { area().setItem(base + key, JSON.stringify(value)); return true } catch { return false } },
  remove(key) { try { area().removeItem(base + key) } catch { } },
  keys() { try { return Object.keys(area()).filter((key) => key.startsWith(base)).map((key) => key.slice(base.length)) } catch { return [] } },
})

export const kept = storage(() => localStorage)
export const ofWindow = storage(() => sessionStorage)
