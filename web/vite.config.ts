import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { SOURCE_FORMS } from '../model/sources/kinds/index.ts'

/** Where a running installation answers what the development server does not. */
const INSTALLATION = process.env.ASSAY_URL ?? 'http://127.0.0.1:8080'

/** Writes each asset compressed beside itself, once and as small as it gets, so that no program compresses when it serves. */
const compressAssets = (): Plugin => ({
  name: 'compress-assets',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => {
    const assets = join(dir, 'assets')
    for (const name of await readdir(assets)) {
      const bytes = await readFile(join(assets, name))
      await writeFile(join(assets, `${name}.br`), await brotli(bytes))
      await writeFile(join(assets, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }))
    }
  },
})

const brotli = (bytes: Uint8Array) =>
  promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } })

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressAssets()],
  // The kinds of sources are described by the model, which is no code for a browser.
  define: { __SOURCE_FORMS__: JSON.stringify(SOURCE_FORMS) },
  // Mantine writes the nonce on the style elements that it makes; `query-api/http/web-app.ts` fills it in.
  html: { cspNonce: '__NONCE__' },
  build: {
    manifest: true,
    // What of other people's code is in the app, for THIRD_PARTY_NOTICES.
    license: { fileName: '.vite/licenses.json' },
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
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
