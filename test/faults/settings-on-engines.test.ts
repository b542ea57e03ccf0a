import { after } from 'node:test'
import { describeWithStack } from '../../infra/stack/testing.ts'
import { describeRounds } from './settings/describe-rounds.ts'
import { IS_LONG } from './sizes.ts'

/** Engines take a while to start: each `npm test` has the rounds on the embedded stores alone. */
if (IS_LONG)
  await describeWithStack(['kafka', 'registry', 'postgres', 'clickhouse'], stack => {
    describeRounds('the engines', stack.urls)
    after(() => stack.stop())
  })
