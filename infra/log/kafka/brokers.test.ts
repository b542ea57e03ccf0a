import { after } from 'node:test'
import { describeWithStack } from '../../stack/testing.ts'
import { describeLogConformance } from '../conformance/suite.ts'
import { describeAppends } from './appends.testing.ts'
import { describeContents } from './contents.testing.ts'
import { describeMembers } from './members.testing.ts'
import { describeOutage } from './outage.testing.ts'
import { kafkaHarness } from './testing.ts'

/** A Java runtime takes seconds to start: one broker is up for all that is tried on one. */
await describeWithStack(['kafka'], stack => {
  const broker = stack.urls.KAFKA_BROKERS ?? ''
  describeLogConformance('Kafka', kafkaHarness(stack))
  describeAppends(broker)
  describeContents(broker)
  describeMembers(broker)
  describeOutage(stack)
  after(() => stack.stop())
})
