import './start.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isHub } from './api/hub-address.ts'
import { startLive } from './api/live.ts'
import { readTokenFromAddress } from './api/token.ts'
import { App } from './app.tsx'
import { startTheme } from './frame/theme.ts'
import { firstLanguage } from './language/language.tsx'
import { loadServerMessages } from './language/server-messages.ts'
import { parseViewLocation } from './router.ts'
import { SHOWN_VIEWS } from './views.ts'
import './page.css'

// A token pasted into the address of an open tab would stay there and in the history.
addEventListener('hashchange', readTokenFromAddress)
startTheme()
// A hub page connects after the user is known.
if (!isHub) startLive()
const { view } = parseViewLocation(location.hash)
const draw = () =>
  createRoot(document.getElementById('page') as HTMLElement).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
// The frame reports a load failure and tries again.
void Promise.all([
  SHOWN_VIEWS.find(({ name }) => name === view)?.load(),
  loadServerMessages(firstLanguage()),
]).then(draw, draw)
