import type { TSchema } from 'typebox'
import type { Operation } from '../../query-api/operations/define.ts'
import { registry } from '../../query-api/operations/registry.ts'
import { tools } from '../../query-api/tools/index.ts'
import { type Json, numbersBy } from './numbers.ts'
import { questionsOf } from './questions.ts'
import type { Asked } from './rules.ts'
import type { World } from './world.ts'

/** The depths that an operation takes; undefined where it takes none. */
const depthsOf = ({ properties }: { readonly properties: Readonly<Record<string, TSchema>> }) => {
  const { depth } = properties
  return depth !== undefined && 'enum' in depth && Array.isArray(depth.enum) ? depth.enum : [undefined]
}

/** Asks every question of every operation that reads numbers, at every depth, and each such mode of a tool once. */
export const askEverything = async ({ person, agent, truth }: World, check: (asked: Asked) => void): Promise<void> => {
  const questions = questionsOf(truth)
  const asked = (name: string): readonly Json[] => questions[name] ?? [{}]
  const isAsked = ({ name, effect }: Operation): boolean => effect === 'read' && numbersBy(name).size > 0
  for (const { name: operation, input: fields } of [...registry.values()].filter(isAsked)) {
    const depths = depthsOf(fields)
    for (const question of asked(operation)) {
      for (const depth of depths) {
        const input = { ...question, ...(depth !== undefined && { depth }) }
        const data = await person.call<Json>(operation, input)
        check({ operation, input, via: 'app', data, truth, at: Date.now() })
      }
    }
  }
  for (const tool of tools) {
    for (const [mode, { name: operation }] of Object.entries(tool.modes).filter(([, each]) => isAsked(each))) {
      const [question] = asked(operation)
      if (question === undefined) continue
      const input = { ...question }
      const { data } = await agent.call<Json>(tool.name, { mode, ...input })
      check({ operation, input, via: 'tool', data, truth, at: Date.now() })
    }
  }
}
