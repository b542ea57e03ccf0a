export { connectEmbeddedLog, type RunningEmbeddedLog, startEmbeddedLog } from './start.ts'
