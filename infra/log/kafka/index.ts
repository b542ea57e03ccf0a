export { createKafkaLog } from './client.ts'
export { assertConfluentRegistry, createConfluentRegistry } from './registry.ts'
