// Before the first paint, so that no light page flashes in the dark. The policy forbids a script in the document itself;
// web/src/frame/theme.ts goes on from here and keeps the same name.
const kept = localStorage.getItem('cairn-theme')
const isDark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
