import { Button } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import { Link } from 'react-router'
import { EmptyState } from '../parts/empty-state.tsx'

export const NotFound = () => (
  <EmptyState icon={IconMapQuestion} title="There is nothing at this address" heading="h1">
    <title>Not found · Assay</title>
    It may have been mistyped, or what was here is gone.
    <Button component={Link} to="/app" variant="light" mt="md">
      Back to the start
    </Button>
  </EmptyState>
)
