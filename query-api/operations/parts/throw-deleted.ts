import { AssayError } from '../../../infra/runtime/errors.ts'

/** For an object that was there a statement ago. */
export const throwDeleted = (what: string): never => {
  throw new AssayError('not_found', `The ${what} is not there any more.`)
}
