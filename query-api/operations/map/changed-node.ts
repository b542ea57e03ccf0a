import { Type } from 'typebox'
import { NodeShape } from './node-shape.ts'
import { ReAnchoring } from './re-anchoring.ts'

/** A node after a change of the map. */
export const ChangedNode = Type.Object({ ...NodeShape.properties, re_anchoring: ReAnchoring })
