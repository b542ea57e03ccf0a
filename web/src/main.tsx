import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import './global.css'
import { readFirstMessages } from './language/catalogues.ts'
import { direction, language } from './language/messages.ts'
import { showOwnFont } from './own-font.ts'

const root = document.querySelector('#app')
if (root === null) throw new Error('The page has no element #app.')
document.documentElement.lang = language
document.documentElement.dir = direction
showOwnFont()

// The app’s modules hold messages, so they are loaded when those are there; `vite.config.ts` lets the browser fetch
// them meanwhile.
readFirstMessages().then(async () => {
  const { showApp } = await import('./app.tsx')
  showApp(root)
})
