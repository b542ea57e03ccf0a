export { connectEmbeddedLog } from './client.ts'
export { type RunningEmbeddedLog, startEmbeddedLog } from './start.ts'
