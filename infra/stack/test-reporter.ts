import { Readable } from 'node:stream'
import { spec as Spec, type TestEvent } from 'node:test/reporters'

/** The prefix of a test's name that only reports what could not be tested here. */
export const UNTESTED = 'NOT TESTED on the real engines'

/** The output of Node's `spec` reporter, and as last lines what was not tested. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const notices = new Set<string>()
  const watched = async function* () {
    for await (const event of events) {
      if (event.type === 'test:pass' && event.data.name.startsWith(UNTESTED)) notices.add(event.data.name)
      yield event
    }
  }
  for await (const text of Readable.from(watched()).pipe(new Spec())) yield String(text)
  for (const notice of notices) yield `\n*** ${notice} ***\n`
}
