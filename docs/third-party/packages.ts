import { existsSync, readdirSync, readFileSync } from 'node:fs'

export const ROOT = new URL('../../', import.meta.url)

/** What package-lock.json says of one package. */
export interface LockedPackage {
  /** Its folder below the root: `node_modules/…`. */
  readonly folder: string
  readonly name: string
  readonly version: string
  readonly integrity: string | undefined
  readonly resolved: string | undefined
  /** True for what an installation without development dependencies leaves out. */
  readonly development: boolean
  /** True for what is made for some platforms alone. */
  readonly platformOnly: boolean
}

interface Entry {
  readonly version: string
  readonly integrity?: string
  readonly resolved?: string
  readonly dev?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
}

const BEFORE_NAME = /^.*node_modules\//

/** Every package of package-lock.json, of every platform. */
export const lockedPackages = (): readonly LockedPackage[] => {
  const { packages }: { packages: Readonly<Record<string, Entry>> } = JSON.parse(
    readFileSync(new URL('package-lock.json', ROOT), 'utf8'),
  )
  return Object.entries(packages)
    .filter(([folder]) => folder !== '')
    .map(([folder, { version, integrity, resolved, dev = false, os, cpu }]) => ({
      folder,
      name: folder.replace(BEFORE_NAME, ''),
      version,
      integrity,
      resolved,
      development: dev,
      platformOnly: os !== undefined || cpu !== undefined,
    }))
}

/** What an installed package says of its licence. */
export interface Licensed {
  readonly name: string
  readonly version: string
  /** An expression of SPDX, as the package has it. */
  readonly licence: string
  readonly author: string | null
  /** The texts that it carries, in the order of their files' names. */
  readonly texts: readonly string[]
}

const LICENCE_FILE = /^(licen[cs]e|copying|notice|unlicense)([.-][\w.-]*)?$/i

interface Manifest {
  readonly license?: unknown
  readonly author?: unknown
}

/** Reads an installed package; null for one that is not installed here, such as another platform's. */
export const readLicence = ({ folder, name, version }: LockedPackage): Licensed | null => {
  const at = new URL(`${folder}/`, ROOT)
  if (!existsSync(new URL('package.json', at))) return null
  const { license, author }: Manifest = JSON.parse(readFileSync(new URL('package.json', at), 'utf8'))
  const texts = readdirSync(at)
    .filter(file => LICENCE_FILE.test(file))
    .sort()
    .map(file => readFileSync(new URL(file, at), 'utf8'))
  return { name, version, licence: typeof license === 'string' ? license : '', author: authorOf(author), texts }
}

const authorOf = (author: unknown): string | null => {
  const name = typeof author === 'object' && author !== null && 'name' in author ? author.name : author
  return typeof name === 'string' ? name.replace(/\s*[<(].*$/, '') : null
}
