import { workerData } from 'node:worker_threads'
import { prepareDirectory } from './prepare.ts'

// A thread of its own, because making a database takes three engines, whose memory is given back when the thread ends.
await prepareDirectory(String(workerData))
