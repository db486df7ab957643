/** What is measured inside of the page. As text: the types of a browser are not those of the benches. */

/** `window.firstEntryMs` promises when the first entry was in sight, counted from the start of the navigation. */
export const WATCH_FIRST_ENTRY = `window.firstEntryMs = new Promise(resolve => {
  const watcher = new MutationObserver(() => {
    if (document.querySelector('article.entry') === null) return
    watcher.disconnect()
    // It is in sight when the frame after this one begins.
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())))
  })
  watcher.observe(document, { childList: true, subtree: true })
})`

/** Leaves in `window.keyMs` how long each key took until the frame that shows what it did was handed over. */
export const NOTE_KEYS = `{
  window.keyMs = []
  const channel = new MessageChannel()
  const waiting = []
  channel.port1.onmessage = () => {
    for (const start of waiting.splice(0)) window.keyMs.push(performance.now() - start)
  }
  window.keyNoter ??= event => requestAnimationFrame(() => {
    waiting.push(event.timeStamp)
    channel.port2.postMessage(null)
  })
  removeEventListener('keydown', window.keyNoter, { capture: true })
  addEventListener('keydown', window.keyNoter, { capture: true })
}`

/** Bytes over the wire, headers included, of what belongs to the page and of what it asked for. */
export const TRANSFERRED = `(() => {
  const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  const sum = some => some.reduce((total, { transferSize }) => total + transferSize, 0)
  return {
    assets: sum(all.filter(({ name }) => !name.includes('/api/'))),
    answers: sum(all.filter(({ name }) => name.includes('/api/'))),
  }
})()`

/** Scrolls a little with every frame; tells how long each took, and how many rows there were at most. */
export const scrollFor = (ms: number) => `new Promise(resolve => {
  const frames = []
  let rows = 0
  const began = performance.now()
  let last = began
  const step = now => {
    frames.push(now - last)
    last = now
    rows = Math.max(rows, document.querySelectorAll('article.entry').length)
    scrollBy(0, 90)
    if (now - began < ${ms}) requestAnimationFrame(step)
    else resolve({ ms: frames.slice(1), rows })
  }
  requestAnimationFrame(step)
})`
