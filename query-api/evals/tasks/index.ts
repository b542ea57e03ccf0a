import type { Task } from '../task.ts'
import { analyzeTasks } from './analyze.ts'
import { captureTasks } from './capture.ts'
import { connectTasks } from './connect.ts'
import { lookupTasks } from './lookup.ts'
import { mapTasks } from './map.ts'
import { oneNumberTasks } from './one-number.ts'
import { orientTasks } from './orient.ts'
import { portfolioTasks } from './portfolio.ts'
import { solutionsTasks } from './solutions.ts'
import { supportTasks } from './support.ts'
import { triageTasks } from './triage.ts'
import { trialTasks } from './trial.ts'
import { verbTasks } from './verbs.ts'
import { writtenAfterTasks } from './written-after.ts'
import { wrongMomentsTasks } from './wrong-moments.ts'
import { wrongNamesTasks } from './wrong-names.ts'
import { wrongSolutionsTasks } from './wrong-solutions.ts'

/** All tasks, by theme. */
export const tasks: Readonly<Record<string, readonly Task[]>> = {
  orient: orientTasks,
  lookup: lookupTasks,
  capture: captureTasks,
  triage: triageTasks,
  verbs: verbTasks,
  solutions: solutionsTasks,
  portfolio: portfolioTasks,
  map: mapTasks,
  connect: connectTasks,
  analyze: analyzeTasks,
  support: supportTasks,
  'wrong names': wrongNamesTasks,
  'wrong changes': wrongSolutionsTasks,
  'wrong moments': wrongMomentsTasks,
  'written after': writtenAfterTasks,
  'one number': oneNumberTasks,
  trial: trialTasks,
}
