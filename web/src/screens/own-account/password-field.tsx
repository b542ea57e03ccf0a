import { PasswordBox } from '../../parts/password-box.tsx'

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Whether it is one that the person chooses now. */
  readonly isNew?: boolean
}

export const PasswordField = ({ onChange, ...props }: Props) => (
  <PasswordBox {...props} onChange={event => onChange(event.currentTarget.value)} w={360} maw="100%" />
)
