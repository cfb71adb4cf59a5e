// The data at a path of the API, and a function to reload it.
import { useCallback, useEffect, useState } from "preact/hooks";
import { read } from "./api.ts";

interface Loaded<T> {
  value: T | null;
  error: string;
  reload: () => void;
}

export function useLoaded<T>(path: string): Loaded<T> {
  const [value, setValue] = useState<T | null>(null);
  const [error, setError] = useState("");
  const reload = useCallback(() => {
    read<T>(path).then(
      (found) => {
        setValue(found);
        setError("");
      },
      (fault: Error) => setError(fault.message),
    );
  }, [path]);
  useEffect(reload, [reload]);
  return { value, error, reload };
}
