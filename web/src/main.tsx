import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startLive } from './api/live.ts'
import { takeToken } from './api/token.ts'
import { App } from './app.tsx'
import { startTheme } from './frame/theme.ts'
import './page.css'

takeToken()
// Put into the address of a tab that is open, it would stay there and in the history.
addEventListener('hashchange', takeToken)
startTheme()
startLive()
createRoot(document.getElementById('page') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
