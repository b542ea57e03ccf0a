import type { Rule } from '../rules.ts'
import { ACTIVITY_RULES } from './activity.ts'
import { COUNT_RULES } from './counts.ts'
import { EXPLANATION_RULES } from './explanations.ts'
import { MAP_RULES } from './map.ts'
import { NOT_COMPARED } from './not-compared.ts'
import { OBJECT_RULES } from './objects.ts'
import { PIPELINE_RULES } from './pipeline.ts'
import { REVIEW_RULES } from './reviews.ts'
import { SOURCE_RULES } from './sources.ts'
import { THEME_RULES } from './themes.ts'
import { WORK_RULES } from './work.ts'

/** The first that is about a number holds. */
export const RULES: readonly Rule[] = [
  ...THEME_RULES,
  ...ACTIVITY_RULES,
  ...COUNT_RULES,
  ...SOURCE_RULES,
  ...WORK_RULES,
  ...MAP_RULES,
  ...PIPELINE_RULES,
  ...REVIEW_RULES,
  ...EXPLANATION_RULES,
  ...OBJECT_RULES,
  ...NOT_COMPARED,
]
