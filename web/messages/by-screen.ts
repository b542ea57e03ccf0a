import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Plugin } from 'vite'
import { type Catalogue, LANGUAGES } from '../src/language/languages.ts'
import { messagesOfApp, statementsOfApp } from './messages-of-app.ts'

const SRC = join(import.meta.dirname, '../src')
const VIRTUAL = 'virtual:messages'
/** What the service says, for which each language has a file of its own, `service.<language>.json`. */
const OF_SERVICE = 'service'
/** Of these, by their English, what is stored and read again: a screen that shows some has them beside its messages. */
const STORED: readonly string[] = JSON.parse(readFileSync(join(import.meta.dirname, 'stored.json'), 'utf8'))
const SHOWS_STORED = /\bfromStored\(/
const IMPORT = /(?:from|import)(\(?)\s*'(\.[^']+\.tsx?)'/g
/** An import of types alone, which loads nothing. */
const OF_TYPES = /^(?:import|export) type (?:\{[^{}']*\}|[^{}'\r\n\u2028\u2029]*) from '[^'\n]*'$/gm
/** Of a file that is loaded when it is needed, with messages of its own: a screen, a part of one, a dialog. */
const LOADED = /\(\) =>\s*import\('(\.[^']+\.tsx)'\)/g
/** Used by this many of the files that the app loads, a file is in one that all of them share. */
export const MIN_SHARED = 2
/** What screens share that most do not have: it is in files of its own, each with the screens that need it. */
export const RARE = {
  evidence:
    /web\/src\/parts\/(signal-timeline|merging|title-field|evidence\/(repeats|rejected-candidates|decisions|choose-box|search-picker))/,
  // What is chosen from is looked for once somebody opens a picker.
  choosing: /web\/src\/parts\/evidence\/(choose(?!-box)|use-found-same)/,
  // Several values are chosen in Explore, in Groups and in dialogs.
  choosingSeveral:
    /web\/src\/parts\/(multi-choice|picker|use-choices)|node_modules\/@mantine\/core\/(?:[^/]+\/){0,9}(MultiSelect|Pill|PillsInput)\//,
  // What was searched for is marked in Triage too, which needs nothing else of evidence at first but how one decides.
  matching:
    /web\/src\/(parts\/evidence\/(matching|marked-text)|screens\/(proposals\/likely\.ts|triage\/(decision|times)))/,
  discussion: /web\/src\/parts\/discussion\//,
  // Pages of one object have no filters.
  filtering: /web\/src\/parts\/(filter-bar|customer-facts)/,
  // Triage asks for it with the first use of the page.
  arriving: /web\/src\/parts\/arriv(als|ing)/,
  // Owners remove what is there, and look at how far a job is.
  administration: /web\/src\/(screens\/(erase\/confirm-name|members\/(remove-member|roles))|parts\/running-job)/,
  testSignals: /web\/src\/parts\/test-signals/,
  kindsOfSources: /web\/src\/screens\/sources\/kinds/,
  charts: /web\/src\/(parts\/chart\/|screens\/explore\/vocabulary)/,
  // Two screens with lists to move things in share their lists with their dialogs.
  // The map shares these with its dialogs, and with nothing else.
  productMap: /web\/src\/screens\/map\/(node-form|outline|use-map-changes|metric-trend)/,
  moving: /web\/src\/(parts\/moving\/|screens\/(strategy\/layers|roadmap\/horizons))/,
  // The editor comes when somebody writes, or compares two versions.
  writing: /web\/src\/screens\/solutions\/document\/writing\//,
  // The board shows no Markdown.
  markdown: /web\/src\/screens\/solutions\/markdown\//,
  solutions: /web\/src\/screens\/solutions\/(?!document\/writing\/|markdown\/|dialogs\/)/,
  account: /web\/src\/(screens\/(own-)?account\/|parts\/password-box|api\/(passkeys|own-account))/,
}

interface Imported {
  readonly file: string
  readonly isLater: boolean
  /** Whether it has messages of its own. */
  readonly isPart: boolean
}

/** What a file of `web/src` imports of it, by the names that are read from it once. */
const importsOf = (file: string, known: Map<string, readonly Imported[]>): readonly Imported[] => {
  const before = known.get(file)
  if (before !== undefined) return before
  const code = readFileSync(join(SRC, file), 'utf8').replaceAll(OF_TYPES, '')
  const parts = new Set([...code.matchAll(LOADED)].map(([, path]) => path))
  const read = [...code.matchAll(IMPORT)]
    .map(([, bracket, path = '']) => ({
      file: relative(SRC, join(SRC, dirname(file), path)),
      isLater: bracket !== '',
      isPart: parts.has(path),
    }))
    .filter(imported => !imported.file.startsWith('..'))
  known.set(file, read)
  return read
}

/** Which imports are followed: all, those that are read at once, or those whose messages come with the file. */
const FOLLOWED = {
  all: () => true,
  now: ({ isLater }: Imported) => !isLater,
  own: ({ isPart }: Imported) => !isPart,
}

/** A file of `web/src` and all that it imports. */
const withImports = (
  file: string,
  followed: keyof typeof FOLLOWED,
  known: Map<string, readonly Imported[]>,
  found = new Set<string>(),
): ReadonlySet<string> => {
  if (found.has(file)) return found
  found.add(file)
  for (const imported of importsOf(file, known).filter(FOLLOWED[followed]))
    withImports(imported.file, followed, known, found)
  return found
}

/** The files of `web/src` that several of those that are loaded need, and what all of it imports. */
const filesOfSeveral = () => {
  const known = new Map<string, readonly Imported[]>()
  withImports('app.tsx', 'all', known)
  const later = new Set(
    [...known.values()].flatMap(imports => imports.flatMap(each => (each.isLater ? each.file : []))),
  )
  const loads = [...later, 'app.tsx'].map(file => withImports(file, 'now', known))
  const files = [...known.keys()].filter(file => loads.filter(load => load.has(file)).length >= MIN_SHARED)
  return { known, files }
}

const isOf = (rare: RegExp, file: string): boolean => rare.test(`web/src/${file}`)
const isRare = (file: string): boolean => Object.values(RARE).some(rare => isOf(rare, file))

/** The files of `web/src` that come with the first load because several of those loaded later need them. */
export const sharedFiles = ({ files } = filesOfSeveral()): ReadonlySet<string> =>
  new Set(files.filter(file => !isRare(file)))

/**
 * What comes with a file that is loaded: what it imports, and whatever else is in the files of rare topics that it
 * needs. All of these are run with it, constants that hold messages too.
 */
const comesWith = (file: string, { known, files }: ReturnType<typeof filesOfSeveral>): ReadonlySet<string> => {
  const found = new Set(withImports(file, 'own', known))
  const topics = Object.values(RARE).map(rare => files.filter(each => isOf(rare, each)))
  for (let before = 0; before < found.size; ) {
    before = found.size
    const needed = topics.filter(topic => topic.some(each => found.has(each))).flat()
    for (const each of needed.flatMap(topical => [...withImports(topical, 'own', known)])) found.add(each)
  }
  return found
}

/** The names of the messages that the app needs at first, and of those that each loaded file needs besides. */
export const messagesByPart = (several = filesOfSeveral()): ReadonlyMap<string, readonly string[]> => {
  const { known } = several
  const loaded = [...known.values()].flatMap(imports => imports.filter(({ isPart }) => isPart))
  const parts = new Map(loaded.map(({ file }) => [file, comesWith(file, several)]))
  const everywhere = withImports('app.tsx', 'own', known)
  const shared = sharedFiles(several)
  const isFirst = (file: string) => everywhere.has(file) || shared.has(file)
  const { messages } = messagesOfApp()
  const first = new Set([...messages].flatMap(([name, { where }]) => (where.some(isFirst) ? [name] : [])))
  const besides = (files: ReadonlySet<string>) =>
    [...messages].flatMap(([name, { where }]) =>
      !first.has(name) && where.some(file => files.has(file)) ? [name] : [],
    )
  return new Map([['', [...first]], ...[...parts].map(([file, files]) => [file, besides(files)] as const)])
}

/**
 * What is stored and said again where a file that the app loads, or what it imports, shows some: sentences of the
 * service, and those that the app writes into Decisions.
 */
const storedWith = (part: string, { known }: ReturnType<typeof filesOfSeveral>): readonly string[] => {
  const files = part === '' ? [] : [...withImports(part, 'own', known)]
  const isShown = files.some(file => SHOWS_STORED.test(readFileSync(join(SRC, file), 'utf8')))
  return isShown ? [...statementsOfApp(), ...STORED] : []
}

/** Quicker to read for a browser than an object is. */
const asModule = (catalogue: object): string => `JSON.parse(${JSON.stringify(JSON.stringify(catalogue))})`

/** Gives each screen the messages of a language that it alone has, beside its file. */
export const messagesByScreen = (): Plugin => {
  let several: ReturnType<typeof filesOfSeveral> | undefined
  let parts: ReturnType<typeof messagesByPart> | undefined
  return {
    name: 'messages-by-screen',
    enforce: 'pre',
    // In development, what was written since.
    watchChange: () => {
      several = undefined
      parts = undefined
    },
    resolveId: id => (id.startsWith(VIRTUAL) ? `\0${id}` : null),
    load: id => {
      if (!id.startsWith(`\0${VIRTUAL}`)) return null
      const [, language, part] = id.split('|')
      several ??= filesOfSeveral()
      parts ??= messagesByPart(several)
      const [known, files] = [parts, several]
      if (language === undefined) {
        const others = LANGUAGES.filter(each => each.language !== 'en')
        const languages = others.map(each => {
          // A part that says nothing itself has no messages to wait for.
          const saying = [...known].filter(([key, own]) => own.length > 0 || storedWith(key, files).length > 0)
          const entries = saying.map(
            ([key]) => `${JSON.stringify(key)}: () => import('${VIRTUAL}|${each.language}|${key}')`,
          )
          return `${each.language}: {${entries.join(',')}}`
        })
        const ofService = others.map(
          each => `${each.language}: () => import('${VIRTUAL}|${each.language}|${OF_SERVICE}')`,
        )
        return `export default {${languages.join(',')}}\nexport const ofService = {${ofService.join(',')}}`
      }
      const read = (name: string): Catalogue =>
        JSON.parse(readFileSync(join(import.meta.dirname, `${name}.${language}.json`.replace(/^\./, '')), 'utf8'))
      const chosen = (names: readonly string[], from: Catalogue) =>
        Object.fromEntries(names.map(name => [name, from[name]]))
      if (part === OF_SERVICE) {
        const [messages, templates] = ['messages', 'templates'].map(name =>
          JSON.stringify(join(SRC, `language/${name}.ts`)),
        )
        return `import { wordFor } from ${messages}
import { translatorBy } from ${templates}
export default translatorBy(${asModule({ ...chosen(statementsOfApp(), read('')), ...read('service') })}, wordFor)`
      }
      const catalogue = read('')
      const messages = `export default ${asModule(chosen(known.get(part ?? '') ?? [], catalogue))}`
      const stored = storedWith(part ?? '', several)
      return stored.length === 0
        ? messages
        : `${messages}\nexport const stored = ${asModule(chosen(stored, { ...catalogue, ...read('service') }))}`
    },
    transform: (code, id) => {
      const file = relative(SRC, id)
      if (file.startsWith('..') || !LOADED.test(code)) return null
      LOADED.lastIndex = 0
      const within = code.replaceAll(LOADED, (_, path: string) => {
        const part = JSON.stringify(join(dirname(file), path))
        return `() => withMessages(${part}, () => import('${path}'))`
      })
      const catalogues = relative(dirname(join(SRC, file)), join(SRC, 'language/catalogues.ts'))
      return `import { withMessages } from '${catalogues.startsWith('.') ? catalogues : `./${catalogues}`}'\n${within}`
    },
  }
}
