import '../styles/base.css';
import '../styles/console.css';
import { mount } from 'svelte';
import Console from './Console.svelte';

mount(Console, { target: document.getElementById('app')! });
