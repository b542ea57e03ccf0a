import { lazy, Suspense } from 'react'
import { loadPart } from '../load-part.ts'
import { useIsUsed } from './at-first-use.ts'

const ShownNotices = lazy(loadPart(() => import('./shown-notices.tsx')))

/** Where notices are shown: loaded with the first use of the page, since nothing is told before. */
export const Notices = () =>
  useIsUsed() ? (
    <Suspense>
      <ShownNotices />
    </Suspense>
  ) : null
