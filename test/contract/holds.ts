import { it } from 'node:test'
import { SENTENCES, type SentenceId } from './sentences/index.ts'

/** The test of a sentence. The id is written out where this is called: the reference finds the test by it. */
export const holds = (id: SentenceId, test: () => Promise<void> | void): void => {
  it(`${id}: ${SENTENCES[id]}`, test)
}
