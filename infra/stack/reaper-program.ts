/**
 * A program: takes down the stack in the directory that is its argument, as soon as whoever started this has gone or
 * says so.
 */
import { once } from 'node:events'
import { stopEngines } from './engine.ts'

const [, , directory = ''] = process.argv
await once(process.stdin.resume(), 'close')
await stopEngines(directory)
