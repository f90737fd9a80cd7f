import { Component, type ReactNode } from "react";

interface ErrorBoundaryProps {
  readonly fallback: (error: Error, again: () => void) => ReactNode;
  readonly children: ReactNode;
}

/** Keeps a defect in one view from taking the others with it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly error: Error | undefined }> {
  override state: { readonly error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? this.props.fallback(error, () => this.setState({ error: undefined })) : this.props.children;
  }
}
