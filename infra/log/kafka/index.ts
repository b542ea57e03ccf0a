export { createKafkaLog } from './client.ts'
export { createConfluentRegistry } from './registry.ts'
