import { describeWithStack } from '../../stack/testing.ts'
import { describeLogConformance } from '../conformance/suite.ts'
import { kafkaHarness } from './testing.ts'

await describeWithStack(['kafka'], stack => describeLogConformance('Kafka', kafkaHarness(stack)))
