import { describeRounds } from './settings/describe-rounds.ts'

describeRounds('the embedded stores', {})
