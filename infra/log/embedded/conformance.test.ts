import { describeLogConformance } from '../conformance/suite.ts'
import { embeddedHarness } from './testing.ts'

describeLogConformance('the embedded log', embeddedHarness)
