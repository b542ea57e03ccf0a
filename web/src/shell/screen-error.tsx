import { Button } from '@mantine/core'
import { IconBug } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { messageOf } from '../api/message-of.ts'
import { EmptyState } from '../parts/empty-state.tsx'

/** A part of the app whose file is gone, because the service was updated while the page was open. */
const isOutdated = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|Importing a module script/i.test(error.message)

/** What a screen shows when it failed to load or to render. The rest of the app goes on. */
export const ScreenError = () => {
  const error = useRouteError()
  useEffect(() => console.error(error), [error])
  const outdated = isOutdated(error)
  return (
    <EmptyState icon={IconBug} title={outdated ? 'Assay was updated' : 'This screen failed'} heading="h1">
      <div role="alert">{outdated ? 'Load the page anew to go on with the new version.' : messageOf(error)}</div>
      <Button variant="light" mt="md" onClick={() => location.reload()}>
        Reload
      </Button>
    </EmptyState>
  )
}
