import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { forPeople } from '../../../schemas/domain/for-people.ts'

const ROOT = join(import.meta.dirname, '../../..')

/**
 * Every text that the service answers may have, as it stands in the source: errors and hints, with the names of what is
 * filled in.
 */
const texts = globSync('{query-api/operations,model,infra/{runtime,postgres,clickhouse}}/**/*.ts', { cwd: ROOT })
  .filter(file => !/\.test\.ts$|testing/.test(file))
  .flatMap(file => [
    ...readFileSync(join(ROOT, file), 'utf8').matchAll(/'((?:[^'\\\n]|\\.){20,})'|`((?:[^`\\]|\\.){20,})`/g),
  ])
  .map(([, plain, filled]) => (plain ?? filled ?? '').replaceAll(/\$\{[^}]*\}/g, 'SIG-7'))
  .filter(text => /^[A-Z“"].* .*\.$/.test(text))

describe('What the service says to people', () => {
  it('never has words for agents in it, whichever message it is', () => {
    assert.ok(texts.length > 300, `${texts.length}`)
    assert.ok(texts.filter(text => /service_/.test(text)).length > 30)
    for (const text of texts) {
      const said = forPeople(text)
      const unquoted = said.replaceAll(/"[^"]*"|“[^”]*”/g, '')
      assert.doesNotMatch(
        unquoted,
        /service_|you read version|\bmode [a-z]+_|\bdepth (full|summary)|\bmeta\.|[a-z]_[a-z]/,
        text,
      )
      assert.match(said, /\S.*[.!?)]$/s, text)
    }
  })

  it('keeps the rest, and what is quoted as it was', () => {
    const said = {
      'CLM-7 has changed: you read version 3, it is at 4. Nothing was written.':
        'CLM-7 has changed meanwhile. Nothing was written.',
      'CLM-7 is dismissed. Accept it first with service_decide mode triage, action accept. Nothing was changed.':
        'CLM-7 is dismissed. Accept it first. Nothing was changed.',
      'Nothing is "service_lookup mode x". Search with service_lookup mode search, or look at service_orient mode snapshot.':
        'Nothing is "service_lookup mode x".',
      'No job is 7; service_support mode jobs lists them.': 'No job is 7.',
      'Send solution_ids, or solutions with the version of each: one of the two.': 'That cannot be done.',
      'A source needs code_host: github.': 'A source needs code host: github.',
      'The node "order_count" has changed. Decide again.': 'The node "order_count" has changed. Decide again.',
      'Invalid email or password': 'Invalid email or password',
    }
    for (const [message, expected] of Object.entries(said)) assert.equal(forPeople(message), expected)
  })
})
