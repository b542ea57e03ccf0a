import { type Static, Type } from 'typebox'
import { oneOf } from '../parts/fields.ts'

/** Characters of a piece: a list of them goes on at any. */
const PIECE = 500

/** A piece of what people wrote about a node. */
export const NodeText = Type.Object({
  of: oneOf(['description', 'example']),
  number: Type.Integer({ description: 'Which example, from 1; 0 for the description.' }),
  text: Type.String(),
})

/** The description and the examples of a node, whole, in pieces that are joined as they are. */
export const nodeTextPieces = (node: {
  readonly description: string
  readonly examples: readonly string[]
}): Static<typeof NodeText>[] => [
  ...pieces(node.description).map(text => ({ of: 'description' as const, number: 0, text })),
  ...node.examples.flatMap((example, index) =>
    pieces(example).map(text => ({ of: 'example' as const, number: index + 1, text })),
  ),
]

const pieces = (text: string): string[] => {
  const characters = Array.from(text)
  return Array.from({ length: Math.ceil(characters.length / PIECE) }, (_, index) =>
    characters.slice(index * PIECE, (index + 1) * PIECE).join(''),
  )
}
