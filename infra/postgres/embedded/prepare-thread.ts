import { workerData } from 'node:worker_threads'
import { prepareDirectory } from './prepare.ts'

// A thread of its own: making a database takes three engines, whose memory is freed when the thread ends.
await prepareDirectory(String(workerData))
