import { serviceAnalyze } from './analyze.ts'
import { serviceCapture } from './capture.ts'
import { serviceConnect } from './connect.ts'
import { serviceDecide } from './decide.ts'
import type { Tool } from './define-tool.ts'
import { serviceLookup } from './lookup.ts'
import { serviceMap } from './map.ts'
import { serviceOrient } from './orient.ts'
import { serviceSupport } from './support.ts'

/** The default surface, in the order in which agents should read it. */
export const tools: readonly Tool[] = [
  serviceOrient,
  serviceLookup,
  serviceCapture,
  serviceDecide,
  serviceMap,
  serviceConnect,
  serviceAnalyze,
  serviceSupport,
]
