#!/bin/bash
# Written by 'submit' and 'retry' from profile.toml; change that.
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --signal=B:USR1@120
#SBATCH --open-mode=append
#SBATCH --requeue
exec '/x/big sweep/program' sweep run --workers 1 -- '/x/big sweep' "$SLURM_ARRAY_TASK_ID"

#!/bin/bash
# Written by 'submit' and 'retry' from profile.toml; change that.
#SBATCH --partition=main,long
#SBATCH --time=1:30:00
#SBATCH --mem=2G
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
#SBATCH --signal=B:USR1@60
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --account=chem
#SBATCH -p x
module load gcc
export A='b'
exec '/x/big sweep/program' sweep run --workers 4 -- '/x/big sweep' "$SLURM_ARRAY_TASK_ID"
