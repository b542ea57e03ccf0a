/** A program: takes down the stack in the directory given as argument, when its starter ends or closes the pipe. */
import { once } from 'node:events'
import { stopEngines } from './engine.ts'

const [, , directory = ''] = process.argv
await once(process.stdin.resume(), 'close')
await stopEngines(directory)
