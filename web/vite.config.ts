import { createHash } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import postcss from 'postcss'
import { defineConfig, type Plugin } from 'vite'
import { SOURCE_FORMS } from '../model/sources/kinds/index.ts'
import { LEFT_OUT_PALETTES } from './left-out-palettes.ts'
import { MIN_SHARED, messagesByScreen, RARE, sharedFiles } from './messages/by-screen.ts'

/** Where a running installation answers what the development server does not. */
const INSTALLATION = process.env.ASSAY_URL ?? 'http://127.0.0.1:8080'

/**
 * Writes each asset compressed beside itself, once and as small as it gets, so that no program compresses when it
 * serves.
 */
const compressAssets = (): Plugin => ({
  name: 'compress-assets',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => {
    const assets = join(dir, 'assets')
    // A font is compressed by itself.
    for (const name of (await readdir(assets)).filter(each => !each.endsWith('.woff2'))) {
      const bytes = await readFile(join(assets, name))
      await writeFile(join(assets, `${name}.br`), await brotli(bytes))
      await writeFile(join(assets, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }))
    }
  },
})

const SRC = join(import.meta.dirname, 'src')
/** The file that the page names: what a language says is decided before the app’s modules begin. */
const FIRST = /web\/src\/(main\.tsx|watchers\.ts|own-font\.ts|language\/(?!rich))|vite\/preload-helper/
const PACKAGES =
  /node_modules\/(react|react-dom|react-router|scheduler|@tanstack\/(react-)?query[^/]*|@mantine\/(core|hooks|spotlight)|@floating-ui|@tabler|clsx|tabbable|react-remove-scroll|react-style-singleton|use-\w+)\/|schemas\//
const shared = sharedFiles()
const isRare = (id: string): boolean => Object.values(RARE).some(rare => rare.test(id))
const isShared = (id: string): boolean => shared.has(relative(SRC, id)) || (PACKAGES.test(id) && !isRare(id))

/** Lets the browser fetch the app while it reads the module that decides on its language. */
const fetchAppAtOnce = (): Plugin => ({
  name: 'fetch-app-at-once',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => {
      const chunks = Object.values(bundle).filter(file => file.type === 'chunk')
      const app = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/src/app.tsx'))
      if (app === undefined) throw new Error('The bundle has no chunk of app.tsx.')
      return [app.fileName, ...app.imports]
        .filter(file => !html.includes(file))
        .map(file => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
          injectTo: 'head' as const,
        }))
    },
  },
})

/** How long what changes may move: less than people wait for. `theme.ts` gives it to what takes it as a setting. */
const MOTION_MS = 120

/** Holds what a style sheet says itself to the same, whichever component it is of. */
const quickTransitions = {
  postcssPlugin: 'quick-transitions',
  Declaration: (declaration: postcss.Declaration) => {
    if (!/^(transition|--.*transition-duration$)/.test(declaration.prop)) return
    declaration.value = declaration.value.replace(/\b(\d+)ms\b/g, (time, ms) =>
      Number(ms) > MOTION_MS ? `${MOTION_MS}ms` : time,
    )
  },
}

/** What Mantine calls the classes of its components, in its scripts and in its style sheet. */
const MANTINE_CLASS = /\bm_[0-9a-f]+/g

/**
 * Leaves out the rules of the Mantine components that no script of the app has. The sheet has its name by what is left
 * of it.
 */
const leaveOutUnusedStyles = (): Plugin => ({
  name: 'leave-out-unused-styles',
  apply: 'build',
  writeBundle: async ({ dir = '' }, bundle) => {
    const files = Object.values(bundle)
    const used = new Set(files.flatMap(file => (file.type === 'chunk' ? (file.code.match(MANTINE_CLASS) ?? []) : [])))
    for (const file of files) {
      if (file.type !== 'asset' || !file.fileName.endsWith('.css') || String(file.source).match(MANTINE_CLASS) === null)
        continue
      const sheet = withoutUnused(String(file.source), used)
      const name = file.fileName.replace(
        /-[^-]+\.css$/,
        `-${createHash('sha256').update(sheet).digest('hex').slice(0, 8)}.css`,
      )
      await rm(join(dir, file.fileName))
      await writeFile(join(dir, name), sheet)
      for (const naming of ['index.html', '.vite/manifest.json']) {
        const text = await readFile(join(dir, naming), 'utf8')
        await writeFile(join(dir, naming), text.replaceAll(file.fileName, name))
      }
    }
  },
})

/**
 * Of Mantine’s colours, those that are none of the app’s, and the steps of those that it has
 * anew; and the widths, which the sheet has by themselves.
 */
const UNUSED_VARIABLE = new RegExp(
  `^--mantine-(breakpoint-|color-(${LEFT_OUT_PALETTES.join('|')})-|color-(dark|gray)-\\d$)`,
)

const withoutUnused = (css: string, used: ReadonlySet<string>): string => {
  const isUsed = (selector: string) => (selector.match(MANTINE_CLASS) ?? []).every(name => used.has(name))
  const sheet = postcss.parse(css)
  sheet.walkDecls(UNUSED_VARIABLE, declaration => {
    declaration.remove()
  })
  sheet.walkRules(rule => {
    const selectors = rule.selectors.filter(isUsed)
    if (selectors.length === 0) rule.remove()
    else if (selectors.length < rule.selectors.length) rule.selectors = selectors
  })
  return sheet.toString()
}

const brotli = (bytes: Uint8Array) =>
  promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } })

export default defineConfig({
  root: import.meta.dirname,
  plugins: [messagesByScreen(), react(), fetchAppAtOnce(), leaveOutUnusedStyles(), compressAssets()],
  // The kinds of sources are described by the model, which is no code for a browser.
  define: { __SOURCE_FORMS__: JSON.stringify(SOURCE_FORMS), __MOTION_MS__: `${MOTION_MS}` },
  css: { postcss: { plugins: [quickTransitions] } },
  // Mantine writes the nonce on the style elements that it makes; `query-api/http/pages.ts` fills it in.
  html: { cspNonce: '__NONCE__' },
  build: {
    manifest: true,
    // What of other people's code is in the app, for THIRD_PARTY_NOTICES.
    license: { fileName: '.vite/licenses.json' },
    target: 'es2022',
    // One sheet: those of the screens are a few hundred bytes each, and were a request each.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Few files in place of a hundred small ones, since each is a request: what every screen has, and what several
        // share.
        codeSplitting: {
          groups: [
            { name: 'first', test: FIRST, priority: 3 },
            { name: 'shared', test: isShared, minShareCount: MIN_SHARED, priority: 2 },
            ...Object.entries(RARE).map(([name, test]) => ({
              name,
              test,
              minShareCount: MIN_SHARED,
              priority: 1,
              // What these need comes with the app, which would otherwise take it from here, and load all of it.
              includeDependenciesRecursively: false,
            })),
          ],
        },
      },
    },
    // A test holds the budget of what is first loaded, compressed.
    chunkSizeWarningLimit: 1000,
  },
  server: {
    proxy: {
      // The service refuses pages of other origins, which this one is to it.
      '/api': { target: INSTALLATION, changeOrigin: true, headers: { origin: INSTALLATION } },
    },
  },
})
