import { createRequire } from 'node:module'

interface Definition {
  readonly name: string
  readonly examples: readonly unknown[]
}

// The package is one JSON file that declares itself an ES module's default export: `require` reads what is really
// there.
const definitions: readonly Definition[] = createRequire(import.meta.url)('@octokit/webhooks-examples')

/** The payloads that GitHub's documentation and its users published for an event, unchanged. */
export const examplesOf = (event: string): readonly unknown[] =>
  definitions.find(({ name }) => name === event)?.examples ?? []
