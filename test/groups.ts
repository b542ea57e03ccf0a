/**
 * Which test files share a process: to start one and to import what hundreds of files import takes longer than most of
 * their tests. A file that works on its process, or whose ends may outlive it, has a process of its own. This is read
 * from the file and from the helpers that it imports, so that nobody keeps a list.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from './files.ts'

/**
 * What is of the process, and not of a test: other processes and threads, its environment, what it measures of itself.
 */
const OF_THE_PROCESS = [
  /\bnode:(child_process|worker_threads|cluster|v8|vm|async_hooks|module)\b/,
  /\bprocess\.(on|once|emit|exit|exitCode|chdir|umask|kill|argv|execArgv|execPath|stdin|stdout|stderr|abort)\b/,
  /\bprocess\.env(\.\w+|\[[^\]]+\]) *(\?\?|\|\|)?=(?!=)|delete process\.env|Object\.\w+\(process\.env/,
  /\bglobalThis\b|setDefaultResultOrder|setGlobalDispatcher/,
  // `t.mock` is put right when its test ends; what is of the whole module is not.
  /\bimport \{[^}]*\bmock\b[^}]*\} from 'node:test'/,
  // The messages of a page, which are read once.
  /\baddMessages\(/,
  /[cC]puUsage|memoryUsage|performance\.|heap(Used|Statistics)|\bgc\(/,
  // Engines are started while the file is read, for all of its tests.
  /\b(describeWithStack|startStack)\b/,
  // The embedded engine has one directory a process; a server has as many databases as are asked of it.
  ...(process.env.CLICKHOUSE_URL ? [] : [/\bstartEmbeddedClickHouse\b/]),
]

/** What only tests import: the rule holds for it, too. */
const HELPER = /(^|\/)(testing(-[^/]+)?|[^/]+\.testing)\.ts$|(^|\/)(test\/support|fixtures|conformance)\//
const IMPORTED = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+\.tsx?)'/g

const sourceOf = (file: string): string => {
  const path = join(ROOT, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

const isOfTheProcess = (file: string, known: Map<string, boolean>): boolean => {
  const found = known.get(file)
  if (found !== undefined) return found
  known.set(file, false)
  const source = sourceOf(file)
  const helpers = [...source.matchAll(IMPORTED)]
    .map(([, path = '']) => join(dirname(file), path))
    .filter(path => HELPER.test(path))
  const is =
    OF_THE_PROCESS.some(pattern => pattern.test(source)) || helpers.some(helper => isOfTheProcess(helper, known))
  known.set(file, is)
  return is
}

/** Whole programs, browsers and engines: what takes long is begun first, and by itself. */
const BY_ITSELF = /^(test|web\/tests)\//
/** As many as share imports and end before the slowest file does. */
const MAX_IN_A_GROUP = 24

const areaOf = (file: string): string => file.split('/', 1)[0] ?? ''

/** The files in the same order, each in a group of those that run in one process, one after the other. */
export const groupsOf = (files: readonly string[]): string[][] => {
  const known = new Map<string, boolean>()
  const together = Map.groupBy(
    files.filter(file => !BY_ITSELF.test(file) && !isOfTheProcess(file, known)),
    areaOf,
  )
  const startedBy = new Map<string, string[]>()
  const grouped = new Set<string>()
  for (const members of together.values()) {
    const size = Math.ceil(members.length / Math.ceil(members.length / MAX_IN_A_GROUP))
    for (let at = 0; at < members.length; at += size) {
      const group = members.slice(at, at + size)
      for (const file of group) grouped.add(file)
      startedBy.set(group[0] ?? '', group)
    }
  }
  return files.flatMap(file => {
    const group = startedBy.get(file)
    if (group !== undefined) return [group]
    return grouped.has(file) ? [] : [[file]]
  })
}
